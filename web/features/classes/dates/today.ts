export { todayIn } from '../../../ui/dates.ts';
