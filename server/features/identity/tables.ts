// The names of our columns as Better Auth is told them, and what it may write into them.

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const tables = {
  user: {
    fields: { emailVerified: 'email_verified', ...times },
    additionalFields: {
      // Given by an admin only (users.ts), never from a body, and never returned.
      role: {
        type: 'string' as const,
        required: true,
        input: false,
        returned: false,
        defaultValue: 'student',
      },
    },
  },
  session: {
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...times,
    },
  },
  account: {
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
  },
  verification: { fields: { expiresAt: 'expires_at', ...times } },
};
