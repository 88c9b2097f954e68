// The button that fetches a file with the access token (a plain link could not carry it) and hands it
// to the browser.
import { useState } from 'react';
import { readable } from '../api/send.ts';
import { Button } from '../ui/Button.tsx';
import { failure } from '../ui/alert.ts';

interface ExportButtonProps {
  label?: string;
  file: string;
  /** A text is a spreadsheet. */
  fetch: () => Promise<string | Blob>;
}

export function ExportButton({ label = 'Export CSV', file, fetch }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      download(file, await fetch());
    } catch (error) {
      void failure('The export failed', readable(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="outline" busy={busy} onClick={() => void save()}>
      {label}
    </Button>
  );
}

function download(name: string, content: string | Blob) {
  // Spreadsheets read UTF-8 only behind its mark, which reading the response as text has removed.
  const csv = () => new Blob(['\uFEFF', content], { type: 'text/csv;charset=utf-8' });
  const address = URL.createObjectURL(typeof content === 'string' ? csv() : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
