// The contract's rules of care facts as react-hook-form wants them, in a chunk of their own: the
// form is drawn before zod has arrived.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Care } from '../../../contract/people/care.ts';

export const careRules = standardSchemaResolver(Care, undefined, { raw: true });
