// Where the academy is: in the footer and on the home page.
export const city = 'Lisbon, Portugal';
