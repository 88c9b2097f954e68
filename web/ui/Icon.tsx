// Every icon of the app, each as one path. The paths are Lucide's (see NOTICE.md) except `ball`,
// `point` and `exclamation`.
// Not for: the logo (app/Logo.tsx), Google's sign (features/auth) or charts (Chart.tsx).

const paths = {
  ball: 'M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0M5.6 5.600a9 9 0 0 1 0 12.800M18.4 5.600a9 9 0 0 0 0 12.8',
  cart: 'm2.05 2.05 1.099-.028a1 1 0 0 1 1.008.815l2.69 14.347A1 1 0 0 0 7.83 18H18M4.563 5h16.435a1 1 0 0 1 .981 1.204l-1.026 6.226A2 2 0 0 1 18.962 14H6.250M20 20a2 2 0 1 1-4 0a2 2 0 0 1 4 0M10 20a2 2 0 1 1-4 0a2 2 0 0 1 4 0',
  check: 'M20 6 9 17l-5-5',
  exclamation: 'M12 5v8M12 19v.01',
  left: 'm15 18-6-6 6-6',
  lock: 'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2M7 11V7a5 5 0 0 1 10 0v4',
  menu: 'M4 5h16M4 12h16M4 19h16',
  moon: 'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
  point: 'M12 11v8M12 5v.01',
  right: 'm9 18 6-6-6-6',
  search: 'm21 21-4.34-4.340M19 11a8 8 0 1 1-16 0a8 8 0 0 1 16 0',
  sun: 'M16 12a4 4 0 1 1-8 0a4 4 0 0 1 8 0M12 2v2M12 20v2M4.93 4.93l1.41 1.410M17.66 17.660l1.41 1.410M2 12h2M20 12h2M6.34 17.660l-1.41 1.410M19.07 4.930l-1.41 1.41',
  x: 'M18 6 6 18M6 6l12 12',
};

export type IconName = keyof typeof paths;

interface IconProps {
  name: IconName;
  /** Its size is part of it: `size-5`. */
  className?: string;
  stroke?: number;
}

/** Hidden from screen readers: the button or the text around it says what it means. */
export function Icon({ name, className = 'size-5', stroke = 2 }: IconProps) {
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
      <path d={paths[name]} />
    </svg>
  );
}
