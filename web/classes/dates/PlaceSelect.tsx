// Chooses a place of the academy. A closed one is offered only where it is chosen already.
import type { ComponentProps } from 'react';
import type { Place } from '../../../contract/classes/places.ts';
import { Select } from '../../platform/ui/Field.tsx';

export function PlaceSelect({
  places,
  value,
  ...rest
}: ComponentProps<typeof Select> & { places: readonly Place[] }) {
  const options = places
    .filter(({ _id, closed }) => !closed || _id === value)
    .map(({ _id, name, capacity, closed }) => {
      const words = `${name} (${closed ? 'closed' : `takes ${capacity}`})`;
      return [_id, words] as const;
    });
  return <Select value={value} options={[['', 'Not decided'], ...options]} {...rest} />;
}
