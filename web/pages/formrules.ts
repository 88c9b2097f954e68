// The contract's rules as react-hook-form wants them, in a chunk of their own: a form is drawn before zod has arrived.
// Not for: the rules themselves (contract/rules.ts).
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import * as z from 'zod/mini';
import { newPassword, signUp } from '../../contract/rules.ts';

export const signUpRules = standardSchemaResolver(signUp);

const reset = z.object({ password: newPassword, confirmPassword: z.string() }).check(
  z.refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: 'The two passwords are not the same',
  }),
);

export const resetRules = standardSchemaResolver(reset);
