// Icons of the roll call alone, in its own chunk. For `name` of ui/Icon.tsx.

export const more = {
  path: 'M13 12a1 1 0 1 1-2 0a1 1 0 0 1 2 0M20 12a1 1 0 1 1-2 0a1 1 0 0 1 2 0M6 12a1 1 0 1 1-2 0a1 1 0 0 1 2 0',
};
export const printer = {
  path: 'M6 18H4a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M6 9V3a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v6M7 14h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1',
};
export const noNetwork = {
  path: 'M12 20h.01M8.5 16.429a5 5 0 0 1 7 0M5 12.859a10 10 0 0 1 5.170-2.690M19 12.859a10 10 0 0 0-2.007-1.523M2 8.820a15 15 0 0 1 4.177-2.643M22 8.820a15 15 0 0 0-11.288-3.764M2 2l20 20',
};
