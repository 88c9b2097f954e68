// The contract's rules of a class in their own chunk: the form is drawn before zod has arrived.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ClassForm } from '../../contract/classes/classes.ts';

export { isPictureAddress } from '../../contract/platform/rules.ts';
export const classRules = standardSchemaResolver(ClassForm, undefined, { raw: true });
