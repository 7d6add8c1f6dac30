import { ListSkeleton } from "@/components/common/list-skeleton";

export default function Loading() {
  return <ListSkeleton header toolbar={false} rows={4} />;
}
