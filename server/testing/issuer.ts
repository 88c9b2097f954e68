// A real OpenID Connect issuer (oidc-provider) on loopback in place of Google. Its login page has one
// button per account and one to refuse.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type AccountClaims, type KoaContextWithOIDC, Provider } from 'oidc-provider';

export interface IssuerAccount {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  picture?: string;
}

interface IssuerOptions {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  accounts: IssuerAccount[];
}

export async function startIssuer(options: IssuerOptions) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(url, options);
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const work = request.url?.startsWith('/interaction/')
      ? login(provider, options.accounts, request, response)
      : answer(request, response);
    void Promise.resolve(work).catch(() => response.writeHead(500).end());
  });
  return {
    url,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function createProvider(
  url: string,
  { clientId, clientSecret, redirectUri, accounts }: IssuerOptions,
) {
  return new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // As Google: the profile is in the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    findAccount: (_context, sub) => {
      const account = accounts.find((one) => one.sub === sub);
      return (
        account && {
          accountId: sub,
          claims: () => Promise.resolve({ ...account } as AccountClaims),
        }
      );
    },
    loadExistingGrant: consentByItself,
  });
}

/** Signing in counts as consent: a consent page would test nothing of ours. */
async function consentByItself({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

async function login(
  provider: Provider,
  accounts: IssuerAccount[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (request.method !== 'POST') {
    const buttons = accounts.map(
      ({ sub, name, email }) => `<button name="sub" value="${sub}">${name} (${email})</button>`,
    );
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><title>Sign in</title><h1>Choose an account</h1>
<form method="post">${buttons.join('<br>')}<hr><button name="sub" value="">Cancel</button></form></html>`);
    return;
  }
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const accountId = new URLSearchParams(body).get('sub');
  const result = accountId
    ? { login: { accountId } }
    : { error: 'access_denied', error_description: 'The user said no' };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** What an issuer says that a test leads. */
export interface Said {
  /** Beside those of an honest ID token. */
  claims?: JWTPayload;
  /** Signs with this secret instead of its key. */
  secret?: string;
  userInfo?: object;
  discovery?: object;
}

/** An issuer without pages, that says of itself and of who signs in what a test wants. */
export async function startForger(clientId: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  let said: Said = {};
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then((body) => response.end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(path: string): Promise<object> {
    if (path === '/keys') return { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] };
    if (path === '/userinfo') return said.userInfo ?? {};
    if (path === '/token') return { access_token: 'x', id_token: await idToken() };
    const endpoints = Object.entries({
      authorization: 'auth',
      token: 'token',
      userinfo: 'userinfo',
    });
    const named = endpoints.map(([name, at]) => [`${name}_endpoint`, `${url}/${at}`] as const);
    return {
      issuer: url,
      jwks_uri: `${url}/keys`,
      ...Object.fromEntries(named),
      ...said.discovery,
    };
  }

  function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: url, aud: clientId, iat: now, exp: now + 60, ...said.claims };
    const token = new SignJWT(claims);
    return said.secret
      ? token.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(said.secret))
      : token.setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  }

  return {
    url,
    says: (next: Said) => void (said = next),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
