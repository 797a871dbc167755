export function Account() {
  return <p>Account</p>;
}
