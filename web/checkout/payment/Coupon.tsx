// The code of a coupon, folded until it is asked for. A code counts once the server has priced the
// basket with it.
import { type FormEvent, useState } from 'react';
import { quoteBasket } from '../../../contract/checkout/checkout.ts';
import { useCall } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import type { Till } from './usePayment.ts';

export function Coupon({ ids, coupon, go }: Till) {
  const ask = useCall(quoteBasket);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = typed.replace(/\s+/g, '').toUpperCase();
    const apply = (seen: number) => {
      setTyped('');
      go({ coupon: code, seen });
    };
    const asked = { items: ids.join(','), coupon: code };
    if (code) ask.mutate(asked, { onSuccess: ({ total }) => apply(total) });
  };
  const problem =
    ask.error?.status === 400
      ? 'A code has 4 to 24 letters, digits or hyphens.'
      : ask.error && readable(ask.error);
  if (coupon)
    return (
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0">
          <span className="muted text-sm">Code </span>
          <span className="figures font-semibold wrap-anywhere">{coupon}</span>
        </p>
        <Button
          look="plain"
          className="min-h-11"
          aria-label={`Remove the code ${coupon}`}
          onClick={() => go({})}
        >
          Remove
        </Button>
      </div>
    );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 w-fit cursor-pointer items-center font-medium">
        Have a code?
      </summary>
      {/* Until then the card form is the only form of the page. */}
      {open && (
        <form onSubmit={submit} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field
              label="Code"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              error={problem ?? undefined}
              maxLength={60}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              className="min-h-11 uppercase"
            />
          </div>
          <Button type="submit" look="outline" className="mt-6.5 min-h-11" busy={ask.isPending}>
            Apply
          </Button>
        </form>
      )}
    </details>
  );
}
