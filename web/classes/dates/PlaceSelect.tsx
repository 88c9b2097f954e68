// Chooses a place of the academy. A closed one is offered only where it is chosen already.
import type { ComponentProps } from 'react';
import type { Place } from '../../../contract/classes/places.ts';
import { Select } from '../../platform/ui/Field.tsx';

interface PlaceSelectProps extends Omit<ComponentProps<typeof Select>, 'children'> {
  places: readonly Place[];
}

export function PlaceSelect({ places, value, ...rest }: PlaceSelectProps) {
  const offered = places.filter(({ _id, closed }) => !closed || _id === value);
  return (
    <Select value={value} {...rest}>
      <option value="">Not decided</option>
      {offered.map(({ _id, name, capacity, closed }) => (
        <option key={_id} value={_id}>
          {name} ({closed ? 'closed' : `takes ${capacity}`})
        </option>
      ))}
    </Select>
  );
}
