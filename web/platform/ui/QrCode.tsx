// A QR code. Its maker is loaded when the first one is shown.
import { useEffect, useState } from 'react';
import { Skeleton } from './States.tsx';

export function QrCode({ text, label }: { text: string; label: string }) {
  const [picture, setPicture] = useState('');
  useEffect(() => {
    let shown = true;
    const draw = async () => {
      const { renderSVG } = await import('uqr');
      // Black on white in both themes, with four light modules around it: cameras want it so.
      const svg = renderSVG(text, { border: 4, ecc: 'M', blackColor: '#000', whiteColor: '#fff' });
      if (shown) setPicture(`data:image/svg+xml,${encodeURIComponent(svg)}`);
    };
    void draw();
    return () => {
      shown = false;
    };
  }, [text]);
  return picture ? (
    <img src={picture} alt={label} className="rounded-field size-52" />
  ) : (
    <Skeleton className="size-52" />
  );
}
