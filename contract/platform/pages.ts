// The pages that an academy can write. Separate from academy.ts so that no zod comes along.
export const pageNames = ['about', 'jobs', 'terms', 'privacy'] as const;
export type PageName = (typeof pageNames)[number];

export const pageTitles: Record<PageName, string> = {
  about: 'About us',
  jobs: 'Jobs',
  terms: 'Terms',
  privacy: 'Privacy',
};
