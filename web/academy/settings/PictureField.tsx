// The address of a picture of the academy, with Upload.
import type { FieldValues, Path } from 'react-hook-form';
import type { SendForm } from '../../platform/api/form.ts';
import { uploadAs, usePhoto } from '../../platform/api/photo.ts';
import { PhotoField } from '../../platform/ui/PhotoField.tsx';

interface PictureFieldProps<Values extends FieldValues> {
  form: SendForm<Values>;
  name: Path<Values>;
  label: string;
  hint?: string;
  /** Shown whole, not cut to the frame. */
  logo?: boolean;
}

const upload = uploadAs('academy');

export function PictureField<Values extends FieldValues>({
  form,
  name,
  label,
  hint,
  logo = false,
}: PictureFieldProps<Values>) {
  const photo = usePhoto(form, name, upload);
  return (
    <PhotoField
      label={label}
      {...form.field(name)}
      {...photo}
      // Pictures that Rally brings have several sizes under one name.
      address={
        /^\/media\/banner\/[\w-]+$/.test(photo.address)
          ? `${photo.address}-thumb.webp`
          : photo.address
      }
      shape={logo ? 'logo' : 'wide'}
      inputMode="url"
      hint={hint}
    />
  );
}
