// A part of a page in a frame of its own, with its heading and what can be done.
import { type ReactNode, useId } from 'react';

interface CardProps {
  title: ReactNode;
  actions?: ReactNode;
  /** 'warn': something to be done here. 'plain': a card within a page of cards. */
  tone?: 'plain' | 'warn';
  heading?: 'h2' | 'h3';
  /** For links from mails and other pages. */
  id?: string;
  className?: string;
  children: ReactNode;
}

export function Card(props: CardProps) {
  const { title, actions, tone = 'plain', heading: Heading = 'h2', className = '' } = props;
  const heading = useId();
  return (
    <section
      id={props.id}
      aria-labelledby={heading}
      className={`card-frame ${tone === 'warn' ? 'border-warning' : ''} ${className}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Heading id={heading} tabIndex={-1} className="heading outline-none">
          {title}
        </Heading>
        {actions}
      </div>
      {props.children}
    </section>
  );
}

/** Inside a `dl`. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="meta">{term}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
