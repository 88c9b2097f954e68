export const ForgotPassword = () => <h1>ForgotPassword</h1>;
