// The contract's rules as react-hook-form wants them, in a chunk of their own: a form is drawn
// before zod has arrived.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { joining, newPasswords, signUp } from '../../contract/platform/rules.ts';

export const signUpRules = (strict: boolean) => standardSchemaResolver(signUp(strict));
export const joinRules = (strict: boolean) => standardSchemaResolver(joining(strict));
export const resetRules = (strict: boolean) => standardSchemaResolver(newPasswords(strict));
