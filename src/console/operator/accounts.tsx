export function Accounts() {
  return <p>Accounts</p>;
}
