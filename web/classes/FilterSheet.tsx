// One filter over the page: a choice counts at once, and the button says how many
// classes it leaves. Without scripts the same filters are fields of a form.
import { dayGroups, days, daysOf } from '../../contract/classes/weekdays.ts';
import { levels } from '../../contract/classes/classes.ts';
import { useSports } from '../platform/api/query.ts';
import { inWords } from '../platform/lists/total.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field, Select, Tick } from '../platform/ui/Field.tsx';
import { currencyCode } from '../platform/ui/locale.ts';
import { Sheet } from '../platform/ui/Sheet.tsx';
import {
  dayWords,
  levelWords,
  type Offered,
  type SheetName,
  sheetTitles,
  timeInWords,
  timeWords,
} from './filters.ts';

type Options = readonly (readonly [value: string, words: string])[];

const hours = ['15', '16', '17', '18'];
const timeOptions: Options = [
  ['', 'Any time'],
  ...Object.entries(timeWords),
  ...hours.map((hour) => [hour, timeInWords(hour)] as const),
];
const ages = Array.from({ length: 15 }, (_, nth) => String(nth + 3));
const ageOptions: Options = [
  ['', 'Any age'],
  ...ages.map((age) => [age, age] as const),
  ['18', 'Adult'],
];

interface FilterSheetProps extends Offered {
  sheet: SheetName;
  onChange: (name: string, value: string) => void;
  onClose: () => void;
}

export function FilterSheet({ sheet, onChange, onClose, ...props }: FilterSheetProps) {
  const { asked, total } = props;
  const sports = useSports();
  const choose = (name: 'sport' | 'time' | 'age', options: Options) => (
    <Choices
      legend={sheetTitles[name]}
      options={options}
      chosen={[String(asked[name] ?? '')]}
      onChange={(value) => onChange(name, value)}
    />
  );
  return (
    <Sheet title={sheetTitles[sheet]} onClose={onClose}>
      {sheet === 'sport' &&
        choose('sport', [['', 'All sports'], ...sports.map((name) => [name, name] as const)])}
      {sheet === 'day' && (
        <Days chosen={asked.day ?? ''} onChange={(value) => onChange('day', value)} />
      )}
      {sheet === 'time' && choose('time', timeOptions)}
      {sheet === 'age' && choose('age', ageOptions)}
      {sheet === 'more' && <MoreFields {...props} onChange={onChange} />}
      <Button onClick={onClose} className="figures">
        {total === undefined
          ? 'Show classes'
          : total === 1
            ? 'Show 1 class'
            : `Show ${inWords(total)} classes`}
      </Button>
    </Sheet>
  );
}

function Days({ chosen, onChange }: { chosen: string; onChange: (days: string) => void }) {
  const on: string[] = daysOf(chosen);
  const groups: Options = [
    ['', 'Any day'],
    ['weekdays', 'Weekdays'],
    ['weekend', 'Weekend'],
  ];
  const toggle = (day: string) =>
    onChange(written(on.includes(day) ? on.filter((one) => one !== day) : [...on, day]));
  return (
    <>
      <Choices legend="Days" options={groups} chosen={[chosen]} onChange={onChange} />
      <Choices
        legend="Day"
        many
        options={days.map((day) => [day, dayWords[day]] as const)}
        chosen={on}
        onChange={toggle}
      />
    </>
  );
}

function written(wanted: readonly string[]) {
  const inOrder = days.filter((day) => wanted.includes(day)).join();
  return Object.keys(dayGroups).find((name) => daysOf(name).join() === inOrder) ?? inOrder;
}

interface ChoicesProps {
  legend: string;
  options: Options;
  chosen: readonly string[];
  onChange: (value: string) => void;
  many?: boolean;
}

const Choices = ({ legend, options, chosen, onChange, many = false }: ChoicesProps) => (
  <fieldset className="choices">
    <legend className="sr-only">{legend}</legend>
    {options.map(([value, words]) => (
      <label key={value} className="chip choice">
        <input
          type={many ? 'checkbox' : 'radio'}
          name={legend}
          value={value}
          checked={chosen.includes(value)}
          onChange={() => onChange(value)}
          className="sr-only"
        />
        {words}
      </label>
    ))}
  </fieldset>
);

type FieldsProps = Offered & { onChange?: FilterSheetProps['onChange'] };

/** For a browser without scripts: everything in one form. */
export const FilterFields = (props: FieldsProps) => (
  <div className="grid gap-4 py-4 sm:grid-cols-2">
    {!props.inCalendar && (
      <>
        <Select
          label="Day"
          name="day"
          defaultValue={props.asked.day ?? ''}
          options={[['', 'Any day'], ...Object.entries(dayWords)]}
        />
        <Select
          label="Time of day"
          name="time"
          defaultValue={props.asked.time ?? ''}
          options={timeOptions}
        />
      </>
    )}
    <Field label="Age" name="age" inputMode="numeric" defaultValue={props.asked.age ?? ''} />
    <MoreFields {...props} />
  </div>
);

const named = (of: readonly { _id?: string; id?: string; name: string }[]): Options =>
  of.map(({ _id, id = '', name }) => [_id ?? id, name]);

function MoreFields({ asked, inCalendar, places, instructors, teacher, onChange }: FieldsProps) {
  const level: Options = levels.slice(1).map((each) => [each, levelWords[each]]);
  const selects = [
    ['level', 'Level', 'Any level', level, ''],
    ['place', 'Place', 'All places', named(places), 'This place'],
    ['instructor', 'Instructor', 'All instructors', named(instructors), 'This instructor'],
  ] as const;
  return (
    <>
      {selects.map(([name, label, any, of, unlisted]) => {
        const chosen = asked[name] ?? '';
        // What is chosen and not in the list, or not yet, has words, too.
        const isListed = !chosen || of.some(([value]) => value === chosen);
        const words = (name === 'instructor' && teacher) || unlisted;
        return (
          // The key: when the list arrives, the chosen option is drawn anew.
          <Select
            key={`${name} ${of.length}`}
            label={label}
            name={name}
            defaultValue={chosen}
            onChange={({ target }) => onChange?.(name, target.value)}
            options={[['', any], ...(isListed ? [] : [[chosen, words] as const]), ...of]}
          />
        );
      })}
      {!inCalendar && (
        <>
          <Field
            label={`Price up to (${currencyCode()})`}
            name="maxPrice"
            inputMode="decimal"
            pattern="\d{1,6}([.,]\d{1,2})?"
            defaultValue={asked.maxPrice ?? ''}
            onChange={({ target }) => onChange?.('maxPrice', target.value.trim())}
          />
          <Tick
            name="free"
            value="true"
            defaultChecked={asked.free === 'true'}
            onChange={({ target }) => onChange?.('free', target.checked ? 'true' : '')}
          >
            Free seats only
          </Tick>
        </>
      )}
    </>
  );
}
