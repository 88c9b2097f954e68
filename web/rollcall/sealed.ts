// A roster as the phone keeps it: sealed with a key of its own that no script can read out.

/** The key lies beside what it opens, so both are deleted in one step. */
export interface Sealed {
  key: CryptoKey;
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

/** Throws where the browser has no WebCrypto: then nothing is kept. */
export async function seal(value: unknown): Promise<Sealed> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const clear = new TextEncoder().encode(JSON.stringify(value));
  return { key, iv, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, clear) };
}

export async function unseal<T>({ key, iv, bytes }: Sealed): Promise<T | null> {
  try {
    const clear = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes);
    return JSON.parse(new TextDecoder().decode(clear)) as T;
  } catch {
    return null;
  }
}
