// The log methods that checkout uses. The operator's alerts match the lines with ALARM.
export interface Log {
  warn(what: object, message: string): void;
  error(what: object, message: string): void;
}
