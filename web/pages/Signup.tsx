export const Signup = () => <h1>Signup</h1>;
