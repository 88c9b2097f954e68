// Reads the form encoding of Stripe's SDK (a[b][0]=c) and typed values in it.
import { badParam, missingParam } from './errors.ts';

export type Value = string | Value[] | Args;
export interface Args {
  [name: string]: Value;
}

const deepest = 6;

export function parseForm(text: string): Args {
  const root = emptyArgs();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name
      .split('[')
      .map((part, index) => (index === 0 ? part : part.replace(/\]$/, '')));
    if (path.length > deepest) throw badParam(`Parameter nested too deeply: ${path[0]}`);
    let at = root;
    for (const [index, raw] of path.entries()) {
      const part = raw === '' ? String(Object.keys(at).length) : raw;
      if (index === path.length - 1) {
        at[part] = value;
        break;
      }
      const next = at[part];
      if (next === undefined) at = at[part] = emptyArgs();
      else if (isArgs(next)) at = next;
      else throw badParam(`Invalid parameter: ${name}`);
    }
  }
  return listed(root);
}

// Without a prototype, `__proto__` is an ordinary name.
const emptyArgs = (): Args => Object.create(null) as Args;

export const isArgs = (value: Value | undefined): value is Args =>
  typeof value === 'object' && !Array.isArray(value);

/** Turns {0: x, 1: y} into [x, y], at every depth except the first. */
function listed(args: Args): Args {
  for (const [name, value] of Object.entries(args)) {
    if (!isArgs(value)) continue;
    listed(value);
    const keys = Object.keys(value);
    if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key)))
      args[name] = Object.values(value);
  }
  return args;
}

export function text(args: Args, name: string, path = name): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw badParam(`Invalid string: ${path}`, { param: path });
  return value === '' ? undefined : value;
}

export function requiredText(args: Args, name: string): string {
  const value = text(args, name);
  if (value === undefined) throw missingParam(name);
  return value;
}

export function integer(args: Args, name: string, path = name): number | undefined {
  const value = text(args, name, path);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(value)) {
    throw badParam(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: path });
  }
  return Number(value);
}

export function flag(args: Args, name: string): boolean | undefined {
  const value = text(args, name);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false')
    throw badParam(`Invalid boolean: ${value}`, { param: name });
  return value === 'true';
}

export function group(args: Args, name: string): Args | undefined {
  const value = args[name];
  if (value === undefined || value === '') return undefined;
  if (!isArgs(value)) throw badParam(`Invalid object`, { param: name });
  return value;
}

export function texts(args: Args, name: string): string[] | undefined {
  const value = args[name];
  if (value === undefined || value === '') return undefined;
  if (!Array.isArray(value)) throw badParam('Invalid array', { param: name });
  return value.map((item) => {
    if (typeof item !== 'string') throw badParam('Invalid string', { param: name });
    return item;
  });
}

export function oneOf<T extends string>(
  args: Args,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = text(args, name);
  if (value === undefined) return undefined;
  const found = allowed.find((item) => item === value);
  if (!found)
    throw badParam(`Invalid ${name}: must be one of ${allowed.join(', ')}`, { param: name });
  return found;
}

/** Stripe refuses unknown parameters, so a misspelled one must fail here, too. */
export function onlyKnown(args: Args, known: readonly string[]): void {
  const stranger = Object.keys(args).find((name) => name !== 'expand' && !known.includes(name));
  if (stranger !== undefined) {
    throw badParam(`Received unknown parameter: ${stranger}`, {
      code: 'parameter_unknown',
      param: stranger,
    });
  }
}

export type Metadata = Record<string, string>;

/** Merges like Stripe: an empty value removes the key, an empty `metadata` removes all keys. */
export function mergeMetadata(before: Metadata, args: Args): Metadata {
  if (args['metadata'] === '') return {};
  const given = group(args, 'metadata');
  if (!given) return before;
  const merged: Metadata = { ...before };
  for (const [key, value] of Object.entries(given)) {
    const param = `metadata[${key}]`;
    if (typeof value !== 'string') throw badParam('Metadata values must be strings', { param });
    if (key.length > 40) throw badParam('Metadata keys must have at most 40 characters', { param });
    if (value.length > 500)
      throw badParam('Metadata values must have at most 500 characters', { param });
    if (value === '') delete merged[key];
    else merged[key] = value;
  }
  if (Object.keys(merged).length > 50)
    throw badParam('Metadata can have up to 50 keys', { param: 'metadata' });
  return merged;
}
