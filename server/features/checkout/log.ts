// The log methods that checkout uses. A line that starts with ALARM needs an operator.
export interface Log {
  warn(what: object, message: string): void;
  error(what: object, message: string): void;
}
