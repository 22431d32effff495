def largest_gap(numbers):
    best, least = numbers[1] - numbers[0], numbers[0]
    for number in numbers[1:]:
        best, least = max(best, number - least), min(least, number)
    return best
