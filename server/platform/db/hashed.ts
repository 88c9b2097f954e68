// Secrets in the addresses that we give away (invitations, calendar feeds). Only the hash is
// stored.
import { createHash, randomBytes } from 'node:crypto';

export const newSecret = () => randomBytes(32).toString('base64url');

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest();
