import { CardsSkeleton } from "@/components/home/cards-skeleton";

export default function Loading() {
  return <CardsSkeleton />;
}
