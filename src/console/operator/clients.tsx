export function Clients() {
  return <p>Clients</p>;
}
