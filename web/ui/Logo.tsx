// The sign of the house: a ball with the seam of its flight.
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="size-9 shrink-0" aria-hidden="true">
      <circle cx="16" cy="16" r="15" fill="#d7f24a" />
      <path
        d="M4.500 8.500c7 2.500 10.500 9.500 8 21.500M27.500 23.500c-7-2.500-10.500-9.500-8-21.500"
        fill="none"
        stroke="#0b5d4e"
        strokeWidth="2.600"
        strokeLinecap="round"
      />
    </svg>
  );
}
