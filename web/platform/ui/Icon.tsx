// The icons of the app, each as one path. The paths are Lucide's (see NOTICE.md) except `ball`,
// `point` and `exclamation`. Those that only the dashboard has are in dashboardicons.ts.
import type { ReactNode } from 'react';

const paths = {
  alert:
    'm21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
  ball: 'M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0M5.6 5.600a9 9 0 0 1 0 12.800M18.4 5.600a9 9 0 0 0 0 12.8',
  calendar:
    'M8 2v3M16 2v3M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2M3 9h18',
  card: 'M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2M2 10L22 10M6 14h2',
  cart: 'm2.05 2.05 1.099-.028a1 1 0 0 1 1.008.815l2.69 14.347A1 1 0 0 0 7.83 18H18M4.563 5h16.435a1 1 0 0 1 .981 1.204l-1.026 6.226A2 2 0 0 1 18.962 14H6.250M20 20a2 2 0 1 1-4 0a2 2 0 0 1 4 0M10 20a2 2 0 1 1-4 0a2 2 0 0 1 4 0',
  check: 'M20 6 9 17l-5-5',
  clock: 'M22 12a10 10 0 1 1-20 0a10 10 0 0 1 20 0M12 6v6l4 2',
  down: 'm6 9 6 6 6-6',
  exclamation: 'M12 5v8M12 19v.01',
  info: 'M22 12a10 10 0 1 1-20 0a10 10 0 0 1 20 0M12 16v-4M12 8h.01',
  left: 'm15 18-6-6 6-6',
  menu: 'M4 5h16M4 12h16M4 19h16',
  moon: 'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
  pin: 'M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0M15 10a3 3 0 1 1-6 0a3 3 0 0 1 6 0',
  point: 'M12 11v8M12 5v.01',
  right: 'm9 18 6-6-6-6',
  search: 'm21 21-4.34-4.340M19 11a8 8 0 1 1-16 0a8 8 0 0 1 16 0',
  share:
    'M21 5a3 3 0 1 1-6 0a3 3 0 0 1 6 0M9 12a3 3 0 1 1-6 0a3 3 0 0 1 6 0M21 19a3 3 0 1 1-6 0a3 3 0 0 1 6 0M8.59 13.51L15.42 17.49M15.41 6.51L8.59 10.49',
  sun: 'M16 12a4 4 0 1 1-8 0a4 4 0 0 1 8 0M12 2v2M12 20v2M4.93 4.93l1.41 1.410M17.66 17.660l1.41 1.410M2 12h2M20 12h2M6.34 17.660l-1.41 1.410M19.07 4.930l-1.41 1.41',
  userPlus:
    'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M13 7a4 4 0 1 1-8 0a4 4 0 0 1 8 0M19 8L19 14M22 11L16 11',
  users:
    'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M16 3.128a4 4 0 0 1 0 7.744M22 21v-2a4 4 0 0 0-3-3.87M13 7a4 4 0 1 1-8 0a4 4 0 0 1 8 0',
  x: 'M18 6 6 18M6 6l12 12',
};

export type IconName = keyof typeof paths;

export type AnyIcon = IconName | { path: string };

interface IconProps {
  name: AnyIcon;
  /** Its size is part of it: 18 px are `size-4.5`. */
  className?: string;
  stroke?: number;
}

export function Icon({ name, ...look }: IconProps) {
  return (
    <Strokes {...look}>
      <path d={typeof name === 'string' ? paths[name] : name.path} />
    </Strokes>
  );
}

type StrokesProps = Omit<IconProps, 'name'> & { children: ReactNode };

/** Hidden from screen readers: the button or the text around it says what it means. */
export function Strokes({ className = 'size-4.5', stroke = 1.75, children }: StrokesProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
