// The parts of a mail as HTML: tables for layout, words, facts, lists, boxes. Used by mailhtml.ts.
import { createElement as h, Fragment, type ReactNode } from 'react';
import type { Part } from './text.ts';

export const font = "Figtree, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const ink = '#14213d';
export const muted = '#586174';
export const line = '#e5ddcc';

/** A table for layout: each child is the cell of a row. */
export function Rows({
  children,
  className,
  style,
}: {
  children?: ReactNode;
  className?: string;
  style?: object;
}) {
  const cells = Array.isArray(children) ? (children as ReactNode[]) : [children];
  return h(
    'table',
    {
      role: 'presentation',
      width: '100%',
      cellPadding: 0,
      cellSpacing: 0,
      border: 0,
      className,
      style: { width: '100%', borderCollapse: 'separate', ...style },
    },
    h('tbody', null, ...cells.map((cell, n) => h('tr', { key: n }, cell))),
  );
}

export const paragraph = {
  fontFamily: font,
  fontSize: 16,
  lineHeight: 1.55,
  margin: '0 0 16px',
  overflowWrap: 'anywhere',
} as const;

export function Words({ children, quiet }: { children?: ReactNode; quiet?: boolean }) {
  const style = quiet ? { ...paragraph, fontSize: 14, color: muted } : { ...paragraph, color: ink };
  return h('p', { className: quiet ? 'muted' : 'ink', style }, children);
}

export const withBreaks = (words: string) =>
  words.split('\n').map((one, n) => h(Fragment, { key: n }, n > 0 && h('br'), one));

export function LineList({ lines }: { lines: readonly string[] }) {
  const cells = lines.map((one, n) =>
    h(
      'td',
      {
        className: 'ink line',
        style: {
          ...paragraph,
          margin: 0,
          padding: '9px 0',
          color: ink,
          ...(n > 0 && { borderTop: `1px solid ${line}` }),
        },
      },
      one,
    ),
  );
  return h(Rows, { style: { margin: '0 0 18px' } }, ...cells);
}

export function FactTable({ facts }: { facts: readonly (readonly [string, string])[] }) {
  const cell = { ...paragraph, margin: 0, padding: '7px 0', verticalAlign: 'top' };
  const rows = facts.map(([label, value], n) => {
    const border = n > 0 ? { borderTop: `1px solid ${line}` } : {};
    return h(
      'tr',
      { key: n },
      h(
        'td',
        {
          className: 'muted line label',
          width: 112,
          style: { ...cell, ...border, color: muted, fontSize: 14, paddingRight: 14, width: 112 },
        },
        label,
      ),
      h(
        'td',
        {
          className: 'ink line',
          style: { ...cell, ...border, color: ink, fontSize: 15, fontWeight: 600 },
        },
        withBreaks(value),
      ),
    );
  });
  return h(
    'table',
    {
      width: '100%',
      cellPadding: 0,
      cellSpacing: 0,
      border: 0,
      style: { width: '100%', margin: '0 0 20px', borderCollapse: 'separate' },
    },
    h('tbody', null, ...rows),
  );
}

export function QuoteBox({ words, colour }: { words: string; colour: string }) {
  return h(
    Rows,
    { style: { margin: '0 0 20px' } },
    h(
      'td',
      {
        className: 'panel ink quote',
        style: {
          ...paragraph,
          margin: 0,
          color: ink,
          background: '#f6f1e6',
          borderLeft: `4px solid ${colour}`,
          borderRadius: 8,
          padding: '14px 16px',
        },
      },
      withBreaks(words),
    ),
  );
}

/** A box for each. */
export function SeatList({ seats }: Extract<Part, { seats: unknown }>) {
  const boxes = seats.map(({ title, price, lines }, n) =>
    h(
      'td',
      { key: n, style: { padding: '0 0 10px' } },
      h(
        Rows,
        { className: 'panel', style: { background: '#f6f1e6', borderRadius: 10 } },
        h(
          'td',
          { style: { padding: '12px 16px' } },
          h(
            'p',
            { className: 'ink', style: { ...paragraph, color: ink, fontWeight: 700, margin: 0 } },
            title,
            price && h('span', { style: { fontWeight: 400 } }, ` · ${price}`),
          ),
          ...lines.map((one, m) =>
            h(
              'p',
              {
                key: m,
                className: 'muted',
                style: { ...paragraph, color: muted, fontSize: 14, margin: '2px 0 0' },
              },
              one,
            ),
          ),
        ),
      ),
    ),
  );
  return h(Rows, { style: { margin: '0 0 10px' } }, ...boxes);
}
