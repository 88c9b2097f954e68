// A part of the class page with its heading.
import type { ReactNode } from 'react';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-base-300 border-t pt-6 lg:pt-8">
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  );
}
