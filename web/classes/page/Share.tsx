// Shares the address of the page: by the browser's own sheet, the clipboard, or as text to copy.
import { useState } from 'react';
import { toast } from '../../platform/ui/alert.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';

export function Share({ name }: { name: string }) {
  const [address, setAddress] = useState('');
  const share = async () => {
    const page = { title: name, url: location.href };
    if (await shared(page)) return;
    try {
      await navigator.clipboard.writeText(page.url);
    } catch {
      // Refused, or not there at all: browsers have a clipboard on https pages only.
      setAddress(page.url);
      return;
    }
    toast('Link copied.');
  };
  return (
    <>
      <Button look="plain" size="small" className="-mr-3" onClick={() => void share()}>
        <Icon name="share" /> Share this class
      </Button>
      {address && (
        <div className="basis-full">
          <Field label="Copy this address" readOnly value={address} ref={selectAll} />
        </div>
      )}
    </>
  );
}

function selectAll(field: HTMLInputElement | null) {
  field?.focus();
  field?.select();
}

/** True when the browser's own sheet took it, or the user closed that sheet. */
async function shared(page: ShareData): Promise<boolean> {
  if (!('canShare' in navigator) || !navigator.canShare(page)) return false;
  try {
    await navigator.share(page);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
