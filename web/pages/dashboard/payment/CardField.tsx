// The card provider's own field for number, expiry date and security code, in our colours.
import { CardElement } from '@stripe/react-stripe-js';
import { useTheme } from '../../../ui/theme.ts';

interface CardFieldProps {
  disabled: boolean;
  invalid: boolean;
  onChange: (complete: boolean, problem: string | null) => void;
}

export function CardField({ disabled, invalid, onChange }: CardFieldProps) {
  const dark = useTheme() === 'dark';
  const ink = dark ? '#eaf2ec' : '#14213d';
  return (
    <fieldset className="min-w-0" aria-describedby={invalid ? 'card-error' : undefined}>
      <legend className="pb-1.5 text-sm font-semibold">
        Card number, expiry date and security code
      </legend>
      <div
        className={`rounded-field border bg-base-100 px-4 py-3.5 focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-primary ${invalid ? 'border-error' : 'border-base-content/40'}`}
      >
        <CardElement
          options={{
            disabled,
            hidePostalCode: true,
            style: {
              base: {
                color: ink,
                iconColor: ink,
                fontSize: '16px',
                '::placeholder': { color: dark ? '#9fb0a8' : '#5b6477' },
              },
              invalid: {
                color: dark ? '#ff9b93' : '#b91c1c',
                iconColor: dark ? '#ff9b93' : '#b91c1c',
              },
            },
          }}
          onChange={(event) => onChange(event.complete, event.error?.message ?? null)}
        />
      </div>
    </fieldset>
  );
}
