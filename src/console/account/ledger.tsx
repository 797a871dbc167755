export function Ledger() {
  return <p>Ledger</p>;
}
