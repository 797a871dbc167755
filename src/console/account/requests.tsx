export function Requests() {
  return <p>Requests</p>;
}
