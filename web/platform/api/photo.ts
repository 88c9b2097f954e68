// Connects a field for the address of a picture (ui/PhotoField.tsx) with its form and with the
// server. What uploads is loaded when a file is chosen.
import { type FieldValues, type Path, type PathValue, useWatch } from 'react-hook-form';
import type { PictureKind } from '../../../contract/platform/pictures.ts';
import type { Upload } from '../ui/PhotoField.tsx';
import type { SendForm } from './form.ts';

/** `signup`: a person without an account. */
export const uploadAs =
  (kind: PictureKind | 'signup'): Upload =>
  async (file, watch) => {
    const { upload } = await import('./upload.ts');
    return upload(kind, file, watch);
  };

/** For a `<PhotoField>`, next to the properties of `field(name)`. */
export function usePhoto<Values extends FieldValues>(
  { form }: Pick<SendForm<Values>, 'form'>,
  name: Path<Values>,
  upload: Upload,
) {
  const address: unknown = useWatch({ control: form.control, name });
  return {
    address: typeof address === 'string' ? address : '',
    onPicture: (url: string) => {
      form.setValue(name, url as PathValue<Values, Path<Values>>, { shouldDirty: true });
      form.clearErrors(name);
    },
    upload,
  };
}
