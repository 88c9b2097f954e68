// A person who came without a seat, for the office to follow up. It takes no seat and no money.
import { type FormEvent, useState } from 'react';
import { limits } from '../../../contract/platform/limits.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { Modal } from '../../platform/ui/Modal.tsx';

const phoneLength = 30;

interface WalkInProps {
  /** Guests of this meeting: they are known by their words. */
  taken: readonly string[];
  onAdd: (guest: string) => void;
  onClose: () => void;
}

export function WalkIn({ taken, onAdd, onClose }: WalkInProps) {
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const guest = [name, phone]
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
    .join(', ');
  const known = taken.includes(guest);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || known) return;
    onAdd(guest);
    onClose();
  };
  return (
    <Modal title="Walk-in" onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={add}>
        <p className="muted -mt-2 text-sm">
          Came without a place in the class. The office follows up; no seat is taken.
        </p>
        <Field
          label="Name"
          required
          data-focus-first
          value={name}
          maxLength={limits.mark.guest - phoneLength - 2}
          autoComplete="off"
          error={known ? 'is on the list already' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Phone of a parent"
          type="tel"
          inputMode="tel"
          value={phone}
          maxLength={phoneLength}
          autoComplete="off"
          onChange={(event) => setPhone(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            Add
          </Button>
        </div>
      </form>
    </Modal>
  );
}
