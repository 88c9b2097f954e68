// The button that fetches a spreadsheet with the access token (a plain link could not carry it) and
// hands it to the browser as a file.
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { failure } from '../../ui/alert.ts';

interface ExportButtonProps {
  file: string;
  fetch: () => Promise<string>;
}

export function ExportButton({ file, fetch }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      download(file, await fetch());
    } catch (error) {
      void failure('The export failed', error instanceof Error ? error.message : undefined);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="outline" busy={busy} onClick={() => void save()}>
      Export CSV
    </Button>
  );
}

function download(name: string, content: string) {
  // Spreadsheets read UTF-8 only behind its mark, which reading the response as text has removed.
  const address = URL.createObjectURL(
    new Blob(['\uFEFF', content], { type: 'text/csv;charset=utf-8' }),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
