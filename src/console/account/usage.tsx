export function Usage() {
  return <p>Usage</p>;
}
