// A part of the class page with its heading, which is its anchor, too.
import type { ReactNode } from 'react';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return (
    <section id={id} className="border-base-300 border-t pt-6 lg:pt-8">
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  );
}
