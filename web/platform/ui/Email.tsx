// An email address that breaks before its @ where there is no room for all of it, and is cut with
// an ellipsis where one part is still too long. The whole address is in its title.

export function Email({ address, className = '' }: { address: string; className?: string }) {
  const at = address.lastIndexOf('@');
  const [name, domain] = [address.slice(0, at), address.slice(at)];
  return (
    <span
      title={address}
      className={`inline-flex min-w-0 max-w-full flex-wrap @min-[60rem]:max-w-60 ${className}`}
    >
      <span className="max-w-full truncate">{name}</span>
      <span className="max-w-full truncate">{domain}</span>
    </span>
  );
}
