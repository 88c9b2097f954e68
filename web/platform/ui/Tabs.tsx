// A row of choices above a table, one of them chosen: a filter.

interface TabsProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

export function Tabs({ label, value, options, onChange }: TabsProps) {
  return (
    <fieldset className="mb-4 flex min-w-0 gap-1.5 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap">
      <legend className="sr-only">{label}</legend>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
          className={`btn btn-sm min-w-11 shrink-0 rounded-full ${option === value ? 'btn-neutral' : 'btn-ghost border-edge'}`}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
