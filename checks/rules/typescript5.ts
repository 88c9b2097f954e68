// The compiler API of TypeScript 5 for openapi-typescript. The project's own TypeScript 7 has no
// API, and a second `typescript` would install a second tsc.
import { ts } from '@ts-morph/common';

export default ts;
