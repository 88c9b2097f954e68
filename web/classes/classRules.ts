// The contract's rules of a class as react-hook-form wants them, in a chunk of their own: the form
// is drawn before zod has arrived.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ClassForm } from '../../contract/classes/classes.ts';

export { isPictureAddress } from '../../contract/platform/rules.ts';
export const classRules = standardSchemaResolver(ClassForm, undefined, { raw: true });
