// The colours of the form: what is typed, or ours.
export { coloursOf, variablesOf } from '../../platform/api/colours.ts';

export const isColour = (value: string) => /^#[\da-f]{6}$/i.test(value);
