// A part of the class page with its heading.
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  id?: string;
  children: ReactNode;
}

export function Section({ title, id, children }: SectionProps) {
  return (
    <section id={id} className="border-base-300 border-t pt-6 lg:pt-8">
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  );
}
