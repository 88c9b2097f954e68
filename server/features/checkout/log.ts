// The part of the log that checkout writes to. The alarms of the operator read it.
export interface Log {
  warn(what: object, message: string): void;
  error(what: object, message: string): void;
}
