/** What a browser calls itself, in two words as far as it can be told. Nothing else of its text. */
export function browserOf(agent: string, otherwise: string): string {
  const name = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? otherwise;
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0];
  const spoken = { Edg: 'Edge', OPR: 'Opera' }[name] ?? name;
  return system ? `${spoken} on ${system}` : spoken;
}
