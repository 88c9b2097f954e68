// Dates as section 2 shows them: the first 10 characters of the stored timestamp are the date,
// characters 11 to 16 the time (UTC).

export const dateOf = (timestamp: string): string => timestamp.slice(0, 10);
export const timeOf = (timestamp: string): string => timestamp.slice(11, 16);
export const momentOf = (timestamp: string): string => `${dateOf(timestamp)} ${timeOf(timestamp)}`;
